/** The tabs of the drills, as they appear in an address: one for each kind, and one for the learner's own text. */
import { DRILL_KINDS } from '@parley/contract';

export const DRILL_TABS = [...DRILL_KINDS, 'own'] as const;
export type DrillTab = (typeof DRILL_TABS)[number];
