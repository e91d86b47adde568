/** The public entry of the second, independent client of the sync protocol. */
export { createSecondClient, type SecondClient } from './client.ts';
export type { Change } from './messages.ts';
export { getCounts, enrolmentId, oneDecimal, type Row, sumCounts, type Word } from './merge-rules.ts';
