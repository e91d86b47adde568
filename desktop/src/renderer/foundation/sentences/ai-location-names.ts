/** Names the places where a model coach's services run. */
import { t } from '@parley/i18n';
import type { ServiceLocation } from '@parley/contract';

/** Completes "Your voice goes to …". */
export const RECIPIENT_BY_LOCATION: Record<ServiceLocation, string> = {
  openai: t('OpenAI (through your server)'),
  azure: t('Microsoft Azure (through your server)'),
  own: t('a model on your own server'),
  this_computer: t('a model on this computer'),
  other: t('another company’s service (through your server)'),
};
