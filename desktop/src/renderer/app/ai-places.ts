/** Where a live coach thinks, hears and speaks, in the words that a learner reads. */
import type { AiPlace } from '@parley/contract';

/** Your voice goes to … */
export const RECIPIENTS: Record<AiPlace, string> = {
  openai: 'OpenAI, through your server',
  azure: 'Microsoft Azure, through your server',
  own: 'a model on your own server',
  this_computer: 'a model on this computer',
  other: 'another company’s service, through your server',
};

/** Your voice is written down … */
export const PLACES: Record<AiPlace, string> = {
  openai: `with ${RECIPIENTS.openai}`,
  azure: `with ${RECIPIENTS.azure}`,
  own: 'on your own server',
  this_computer: 'on this computer',
  other: `with ${RECIPIENTS.other}`,
};
