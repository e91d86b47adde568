/** A small catalogue for tests: one practice that can be held, one that is coming soon, one that nobody may see. */
import { CoachId, type Dialogue, PracticeId, type Row, type RowState } from '@parley/domain';
import type { StarterCatalogue } from '@parley/catalogue';
/** Readable ids: `testId(7)` ends in 7. */
export declare const testId: (number: number) => string;
export declare const COACH: string;
export declare const OTHER_COACH: string;
export declare const LATE_DELIVERY: string;
export declare const COMING_SOON: string;
export declare const HIDDEN: string;
export declare const NAME_THE_DELAY: string;
export declare const APOLOGISE: string;
export declare const LATE_REPLY = "The delivery is two days late.";
export declare const SORRY_REPLY = "I am sorry, we will send it again tomorrow.";
export declare const aDialogue: () => Dialogue;
export declare const aCoach: (agentId: CoachId, name: string) => Row<'aiAgentProfiles'>;
export declare const aPractice: (practiceId: PracticeId, title: string, availability: RowState) => Row<'practices'>;
export declare const aCatalogue: () => Promise<StarterCatalogue>;
