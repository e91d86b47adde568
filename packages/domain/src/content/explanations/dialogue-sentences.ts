/** The problems of a practice's dialogue, in English. Each language translates these sentences. */
import { msg } from './msg.ts';

export const DIALOGUE_SENTENCES = {
  'dialogue.too_short': msg('A dialogue needs at least two steps: an opening and an ending.'),
  'dialogue.start_missing': msg('The dialogue starts at “{step}”, which isn’t a step.'),
  'dialogue.endless': msg('No ending can be reached.'),
  'dialogue.endless_at': msg('No ending can be reached at the level {level}.'),
  'dialogue.replies_endless': msg('With the model replies alone, the dialogue never ends.'),
  'dialogue.replies_endless_at': msg('With the model replies alone, the dialogue never ends at the level {level}.'),
  'dialogue.objective_unmet': msg('The objective “{objective}” can’t be met: no reply meets it.'),
  'dialogue.objective_unmet_at': msg(
    'The objective “{objective}” can’t be met at the level {level}: no reply meets it.',
  ),
  'fact.answer_missing': msg('The fact “{name}” has no answer.'),

  'step.repeated': msg('Two steps are called “{step}”.'),
  'step.unreachable': msg('No reply leads to “{step}”.'),
  'step.line_missing': msg('“{step}” has no line at the level {level}.'),
  'step.no_reply': msg('“{step}” has no reply. A learner who gets here can’t go on.'),
  'step.one_reply': msg('“{step}” needs at least two replies.'),
  'step.rephrasing_missing': msg('“{step}” needs a simpler way to ask, for a learner who didn’t understand.'),
  'step.rephrasing_empty': msg('A rephrasing of “{step}” is empty.'),
  'step.rephrasing_repeats': msg('A rephrasing of “{step}” repeats its line “{line}”.'),
  'step.only_model_replies': msg('“{step}” recognises only its model replies. Add examples of free answers.'),
  'step.few_answers': msg('“{step}” has fewer than two kinds of answers.'),
  'step.few_unexpected': msg('“{step}” has fewer than {count} unexpected answers.'),
  'step.objective_unknown': msg('There’s no objective “{objective}”.'),

  'known.nowhere': msg('If the coach already knows the answer, the step leads nowhere.'),
  'known.astray': msg('If the coach already knows the answer, the step leads to “{target}”, which isn’t a step.'),
  'reply.nowhere': msg('The reply “{reply}” of “{step}” leads nowhere.'),
  'reply.astray': msg('The reply “{reply}” of “{step}” leads to “{target}”, which isn’t a step.'),
  'reply.hint_missing': msg('The reply “{reply}” of “{step}” has no hint.'),
  'reply.sentence_missing': msg('The reply “{reply}” of “{step}” has no sentence at the level {level}.'),
  'unexpected.nowhere': msg('An unexpected answer at “{step}” leads nowhere.'),
  'unexpected.astray': msg('An unexpected answer at “{step}” leads to “{target}”, which isn’t a step.'),
  'answer.nowhere': msg('The answer “{answer}” at “{step}” leads nowhere.'),
  'answer.astray': msg('The answer “{answer}” at “{step}” leads to “{target}”, which isn’t a step.'),
  'answer.no_examples': msg('The answer “{answer}” has no examples.'),
  'answer.few_examples': msg(
    'The answer “{answer}” needs more examples: it has {count}, and {enough} or more are understood better.',
  ),
  'answer.example_empty': msg('An example of “{answer}” is empty.'),
  'answer.example_ambiguous': msg('“{example}” is an example of both “{answer}” and “{other}”.'),
} as const;
