import type { outbox } from '../../store/index.ts';

/** A change to be sent. Its fields stay the JSON text that was stored. */
export type OutboxRow = Omit<typeof outbox.$inferSelect, 'fields' | 'clocks' | 'state' | 'parkedFor'> & {
  fields: string;
  clocks: string | null;
};
