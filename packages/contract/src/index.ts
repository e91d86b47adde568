/** The words in which the parts of Parley speak to each other: renderer and host, host and server. */
export * from './desktop/catalogue.ts';
export * from './desktop/contract.ts';
export * from './desktop/drill.ts';
export * from './desktop/practice.ts';
export * from './errors.ts';
export * from './server/coach.ts';
export * from './server/contract.ts';
export * from './server/realtime.ts';
export * from './sync/messages.ts';
export * from './sync/messages-v1.ts';
