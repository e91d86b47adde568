/** Which sync server this device speaks to. */
export { createServers, type Servers } from './change-server.ts';
export { readServerChoice } from './chosen-server.ts';
