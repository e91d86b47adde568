/** What was said in a live conversation, for as long as it lasts: its coach and its judge must know it, and nobody keeps it. */
import type { Held } from '@parley/coach';
import type { LearnerTurn, ObjectiveId, Turn } from '@parley/domain';
import { TurnId } from '@parley/domain';

/** The bound of a turn's text. */
const MAX_TEXT = 4_000;

export class TalkRecord {
  readonly #turns: Turn[];
  readonly #completed: Map<ObjectiveId, Held['completed'][number]>;
  readonly #stamp: () => { turnId: TurnId; at: string };

  constructor({ turns, completed }: Held, { newId, now }: { newId: () => string; now: () => Date }) {
    this.#turns = [...turns];
    this.#completed = new Map(completed.map((objective) => [objective.objectiveId, objective]));
    this.#stamp = () => ({ turnId: TurnId.parse(newId()), at: now().toISOString() });
  }

  /** A copy: what is said later does not change it. */
  get held(): Held {
    return { turns: [...this.#turns], completed: [...this.#completed.values()] };
  }

  get isCoachsTurn(): boolean {
    return this.#turns.at(-1)?.role !== 'coach';
  }

  coachSaid(text: string, kind: 'line' | 'goodbye'): void {
    if (text !== '')
      this.#turns.push({ role: 'coach', ...this.#stamp(), text: text.slice(0, MAX_TEXT), node: null, kind });
  }

  learnerSaid(text: string): LearnerTurn {
    const turn: LearnerTurn = {
      role: 'learner',
      ...this.#stamp(),
      text: text.slice(0, MAX_TEXT),
      mode: 'voice',
      node: null,
      fitted: true,
      recordingId: null,
      assessment: null,
      hintLevel: 0,
    };
    this.#turns.push(turn);
    return turn;
  }

  proved(objectiveId: ObjectiveId): void {
    this.#completed.set(objectiveId, { objectiveId });
  }
}
