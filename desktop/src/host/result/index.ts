export { type HostResult, failed, type HostFailure } from './host-result.ts';
