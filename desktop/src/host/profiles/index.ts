/** The profiles of an installation, one for each server, and the host of the open one. */
export { type AppHost, type AppHostOptions, openAppHost } from './open-app-host.ts';
