/** Explains the mistakes that are found without a coach, in the learner's language. */
import { t } from '@parley/i18n';
import type { GrammarRule } from '@parley/domain';

const EXPLANATIONS: Readonly<Record<GrammarRule, () => string>> = {
  agreement: () => t('The verb changes with the person: I have, she has.'),
  agree: () => t('“Agree” is itself a verb, so “am” or “are” isn’t needed.'),
  base_form: () => t('After “did” and “didn’t”, use the base form of the verb.'),
  participle: () => t('After “have”, use the past participle (the third form of the verb).'),
  since_for: () => t('“For” says how long something has lasted, “since” says when it began.'),
  comparative: () => t('This word is already a comparison, so it doesn’t need “more” or “most”.'),
  uncountable: () => t('This word can’t be counted: it has no plural, and “a” doesn’t go with it.'),
  no_to: () => t('After words such as “can” and “must”, the next verb takes no “to”.'),
  with_to: () => t('After “want”, “need” and “would like”, the next verb takes “to”.'),
  preposition: () => t('This word takes a different preposition, or none.'),
  past: () => t('“Yesterday” goes with the past tense.'),
  many: () => t('“Many” goes with things you can count, “much” with things you can’t.'),
  tell: () => t('“Tell” names the listener: you say something, but you tell somebody.'),
  ing: () => t('After “look forward to” and “thank you for”, the verb ends in -ing.'),
  plural: () => t('After a number above one, use the plural.'),
  age: () => t('Age goes with “be”, not with “have”: I am 25 years old.'),
  article: () => t('A single person or thing takes “a”, “an” or “the”: I am a teacher.'),
};

export const grammarSentence = (rule: GrammarRule): string => EXPLANATIONS[rule]();
