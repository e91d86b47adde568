export { type Answer, failed, type HostFailure } from './answer.ts';
