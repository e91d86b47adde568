/** A second client of the sync protocol. */
export { createSecondClient, type SecondClient } from './client.ts';
export type { Change } from './messages.ts';
export { countsOf, enrolmentId, oneDecimal, type Row, totalOf, type Word } from './rules.ts';
