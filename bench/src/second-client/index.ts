/** A second client of the sync protocol. */
export { type Change, createSecondClient, type SecondClient } from './client.ts';
export { countsOf, enrolmentId, oneDecimal, type Row, totalOf, type Word } from './rules.ts';
