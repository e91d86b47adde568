/** The application without a window: pure Node, behind the desktop contract. */
export { createHost, type Host } from './create-host.ts';
export type { HostOptions } from './host-options.ts';
export { type AppHost, type AppHostOptions, openAppHost } from './profiles/index.ts';
export type { Logger } from './logger.ts';
export { failed, type HostResult } from './result/index.ts';
export type { KeptVideo, VideoSource } from './videos/index.ts';
export type { CrashFolder } from './support/index.ts';
export type { SpeechScorer } from './scorer/index.ts';
export type { HostRouter } from './router.ts';
export { startFailureOf } from './start-failure.ts';
export { HostStartError, type HostStartFailure, renameFile } from './store/index.ts';
export { createFileVault, type FileVault, type TokenVault } from './server/index.ts';
