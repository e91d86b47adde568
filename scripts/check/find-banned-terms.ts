/** Finds words that the vocabulary replaces with standard terms: in file names, identifiers, comments and documents. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';

interface BannedTerm {
  pattern: RegExp;
  /** The word of `docs/glossary.md`, or the standard term. */
  use: string;
  /** Text in which the check must find the term. */
  example: string;
  /** Files in which the term is the name of something that is stored, sent or configured. */
  except?: readonly string[];
}

const WIRE_FILES = [
  'packages/contract/src/server/realtime.ts',
  'packages/contract/src/server/realtime.test.ts',
  'desktop/src/host/coach/endless-call.test.ts',
  'desktop/src/host/practice/realtime/realtime-session.ts',
  'desktop/src/host/practice/realtime/realtime-reducer.ts',
  'sync-server/src/coach/realtime/realtime-coaching.ts',
  'sync-server/src/http/realtime/realtime-route.ts',
  'sync-server/src/http/realtime/realtime-route.test.ts',
  'sync-server/test-kit/realtime/realtime-client.ts',
  'docs/glossary.md',
];

export const BANNED_TERMS: readonly BannedTerm[] = [
  {
    pattern: /\blive talk|\bcall line\b|\b(held|hold)[ -]?conversation|\bhold(Call|Talk)\b/i,
    use: 'realtime session',
    example: 'a live talk',
  },
  { pattern: /\bisLive\b/, use: 'isModelCoach', example: 'if (isLive) return;' },
  { pattern: /\bwriteDown\b|\bears\b|\bhear-turn\b/, use: 'transcribe, transcriber', example: 'ask.writeDown()' },
  {
    pattern: /\bhear[A-Z]\w*|\bnameTurn\b/,
    use: 'assess, reassess, recognise, stream',
    example: 'practice.hearAgain(turn)',
  },
  {
    pattern: /\b[cC]oachLines?\b|\bcoachSound\b/,
    use: 'CoachUtterance, coachAudio',
    example: 'type CoachLine = string',
  },
  { pattern: /\btalkId\b/, use: 'realtimeId, sessionId', example: 'const talkId = newId();' },
  { pattern: /\bmayStillSpend\b/, use: 'assertBudget', example: 'ledger.mayStillSpend()' },
  {
    pattern: /\bgiveMeAMoment\b|\bisMoment\b/,
    use: 'setOnHold, isOnHold',
    example: 'call.giveMeAMoment(true)',
    except: WIRE_FILES,
  },
  { pattern: /\byielding\b/i, use: 'ducking', example: 'yielding.ts' },
  { pattern: /\btape\b|\bcutter\b/i, use: 'audio history, turn segmentation', example: 'const tape = [];' },
  { pattern: /\b(put|puts|putting) away\b|\bputAway/i, use: 'park, restore', example: 'what was put away' },
  {
    pattern: /\b(stripe|azure|openai)?[ -]?twins?\b/i,
    use: 'fake',
    example: 'the Stripe twin',
    except: [
      'sync-server/src/compose/config/environment.ts',
      'sync-server/src/compose/config/safe-startup.test.ts',
      // Two diagonals of a pattern.
      'packages/catalogue/src/drills.ts',
    ],
  },
  { pattern: /\bstand-ins?\b|\bhousehold\b/i, use: 'fake', example: 'a stand-in for Stripe' },
  {
    pattern: /\bclass World\b|\bworld: |\bconst world\b|#world\b/,
    use: 'fixture, environment',
    example: 'const world = 1',
  },
  {
    pattern: /\boutlooks?\b/i,
    use: 'pending plan change',
    example: 'the outlook of a plan',
    except: ['sync-server/src/db/tables.ts', 'sync-server/src/account/export/export-tables.ts'],
  },
  { pattern: /\bmend(s|ed|ing)?\b/i, use: 'recover, repair', example: 'mend(database)' },
  { pattern: /\btoldOf\b|\btold\(|\bsorted\(error/, use: 'withContractErrors', example: 'told(call)' },
  { pattern: /\bmeetPoke\b|\bheedLeaving\b/, use: 'onPoke, syncSubscriptionWithAccount', example: 'meetPoke()' },
  {
    pattern: /\bleak-?watch\b|\bback-?to-?scene\b|\bdisarm(ed)?\b/i,
    use: 'prompt-leak-detector, sanitize',
    example: 'disarmed',
  },
  { pattern: /\b\w*Wish\b|\bwish(es)?\s*[?:)]/, use: 'request, options', example: 'start(wish: PracticeWish)' },
  {
    pattern: /\b(const|let) (agenda|stage|life)\b|\bminute-?book\b|\bpost-?office\b/i,
    use: 'schedule, fixture, script',
    example: 'const agenda = []',
  },
  { pattern: /\bfurnish\w*|\brogues?\b/i, use: 'seed, adversary', example: 'furnish(db)' },
  {
    pattern: /\bunpack-no-further\b|\bhang-?up\.ts|\bown-secret\b|\bclosed-way\b|\bopen-ways\b/,
    use: 'decompression-guard, close-connections, load-or-create-secret, available-modes',
    example: './own-secret.ts',
  },
  {
    pattern: /\bwhoever\b|\bNull (where|when) nobody\b/i,
    use: 'the learner, a caller, a person who',
    example: 'whoever reads this',
  },
];

/** Texts for learners, content and histories have their own vocabulary; these files define the words. */
const EXCLUDED =
  /^(packages\/i18n\/src\/locales|packages\/catalogue\/content|packages\/coach\/(prompts|src\/test-kit\/injection)|bench\/src\/coach\/|docs\/transcripts\.md|docs\/writing\.md|CHANGELOG\.md|scripts\/check\/find-banned-terms)/;

export const findBannedTerms = (file: string, text: string): string[] => [
  ...termsIn(file, file).map((problem) => `${file}: ${problem}`),
  ...text
    .split('\n')
    .flatMap((line, index) => termsIn(file, line).map((problem) => `${file}:${index + 1}: ${problem}`)),
];

const termsIn = (file: string, text: string): string[] =>
  BANNED_TERMS.flatMap(({ pattern, use, except = [] }) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined || except.includes(file) ? [] : [`"${found}" is not in the vocabulary; use ${use}`];
  });

/** Returns one sentence for each banned term in the files that git tracks. */
export async function findVocabularyProblems(rootDir: string): Promise<string[]> {
  const { output } = await runProgram({ program: 'git', args: ['ls-files'], cwd: rootDir, quiet: true });
  const files = output.split('\n').filter((file) => /\.(tsx?|md|py|css)$/.test(file) && !EXCLUDED.test(file));
  const found = await Promise.all(
    files.map(async (file) => findBannedTerms(file, await readFile(join(rootDir, file), 'utf8').catch(() => ''))),
  );
  return found.flat();
}
