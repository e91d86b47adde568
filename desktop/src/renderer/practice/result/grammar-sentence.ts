/** Explains the mistakes that are found without a coach, in the learner's language. */
import { t } from '@parley/i18n';
import type { GrammarRule } from '@parley/domain';

const EXPLANATIONS: Readonly<Record<GrammarRule, () => string>> = {
  agreement: () => t('The verb changes with the person: I have, she has.'),
  agree: () => t('“Agree” is itself a verb, so “am” or “are” isn’t needed.'),
  base_form: () => t('After “did” and “didn’t”, the verb stays in its basic form.'),
  participle: () => t('After “have” comes the third form of the verb.'),
  since_for: () => t('“For” goes with how long something lasts, “since” with when it began.'),
  comparative: () => t('This word is already a comparison, so it doesn’t need “more” or “most”.'),
  uncountable: () => t('This word can’t be counted: it has no plural, and “a” doesn’t go with it.'),
  no_to: () => t('After words such as “can” and “must”, the verb follows without “to”.'),
  with_to: () => t('After “want”, “need” and “would like”, the verb follows with “to”.'),
  preposition: () => t('This word goes with another preposition, or with none.'),
  past: () => t('“Yesterday” goes with the past form of the verb.'),
  many: () => t('“Many” goes with what can be counted, “much” with what can’t.'),
  tell: () => t('“Tell” names the listener: you say something, but you tell somebody.'),
  ing: () => t('After “look forward to”, the verb ends in -ing.'),
  plural: () => t('After a number above one, the word is in the plural.'),
  age: () => t('Age goes with “be”, not with “have”: I am 25 years old.'),
  article: () => t('“A” or “an” comes before a profession: I am a teacher.'),
};

export const grammarSentence = (rule: GrammarRule): string => EXPLANATIONS[rule]();
