export { createSync } from './sync-loop.ts';
export type { Sync } from './sync.ts';
export { createSwitchableSync, type SwitchableSync } from './switchable-sync.ts';
export type { TurnFetcherOptions } from './pull/turn-fetcher.ts';
export { leaveServer } from './account/leave-server.ts';
export { hasEmail } from './account/adopt-account.ts';
export { completeInterruptedMove } from './account/complete-move.ts';
export { rowIdMover } from './account/row-id-mover.ts';
