/** Plans as a learner calls them, and where they are paid for. */
import type { PlanType } from '@parley/domain';

export const PLAN_NAMES: Record<PlanType, string> = { FREE: 'Free', TRIALING: 'Free week', PLUS: 'Plus', PRO: 'Pro' };

/** In the system's browser: the app never sees a card. */
export const openOutside = (url: string): void => void window.open(url, '_blank', 'noopener,noreferrer');
