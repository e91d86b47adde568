export { completeWipe } from './complete-wipe.ts';
export { createRemoteWipe, type RemoteWipe } from './remote-wipe.ts';
