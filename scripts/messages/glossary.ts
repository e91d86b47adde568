/** The translation of each English term, so that learners see one word per concept. */
interface Term {
  english: RegExp;
  /** If a message also mentions one of these, it may use its word. */
  except: RegExp;
  /** Former translations of the term, by language. */
  avoid: Readonly<Record<string, readonly string[]>>;
}

const TERMS: readonly Term[] = [
  {
    english: /\bscores?\b/i,
    except: /\bresults?\b/i,
    avoid: {
      ar: ['نتيجة', 'نتائج'],
      de: ['Ergebnis', 'Bewertungen'],
      es: ['nota', 'resultado'],
      ja: ['スコア', '得点'],
      'pt-BR': ['pontuaç', 'Pontuaç'],
      'zh-Hans': ['得分', '成绩'],
    },
  },
  {
    english: /\bobjectives?\b/i,
    except: /\bgoals?\b/i,
    avoid: { de: ['Lernziel'], es: ['meta'], 'pt-BR': ['meta', 'Meta'], 'zh-Hans': ['任务'] },
  },
  {
    english: /\bsessions?\b/i,
    except: /\bconversations?\b/i,
    avoid: {
      ar: ['محادث'],
      de: ['Gespräch'],
      es: ['conversaci'],
      ja: ['会話'],
      'pt-BR': ['conversa'],
      'zh-Hans': ['对话'],
    },
  },
  { english: /\bcoach/i, except: /^$/, avoid: { ar: ['مدرب'] } },
];

/** The word that the translation should not use, if any. */
export const avoidedWord = (language: string, message: string, translation: string): string | undefined =>
  TERMS.filter(({ english, except }) => english.test(message) && !except.test(message))
    .flatMap(({ avoid }) => avoid[language] ?? [])
    .find((word) => translation.includes(word));
