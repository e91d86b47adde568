/** The words in which the parts of Parley speak to each other: renderer and host, host and server. */
export * from './desktop/account.ts';
export * from './desktop/call.ts';
export * from './desktop/catalogue.ts';
export * from './desktop/contract.ts';
export * from './desktop/drill.ts';
export * from './desktop/practice.ts';
export * from './desktop/sync-status.ts';
export * from './errors.ts';
export * from './server/account.ts';
export * from './server/admin.ts';
export * from './server/billing.ts';
export * from './server/coach.ts';
export * from './server/contract.ts';
export * from './server/devices.ts';
export * from './server/realtime.ts';
export * from './sync/messages.ts';
export * from './sync/messages-v1.ts';
