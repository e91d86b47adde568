/** Names the practice of a session, even when the school has withdrawn it since. */
import { t } from '@parley/i18n';

export const practiceTitle = (title: string | null): string => title ?? t('Practice no longer available');
