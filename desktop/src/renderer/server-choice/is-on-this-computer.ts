/** Whether a server runs on the learner's own computer, so that no other computer can reach it. */
import { isLoopbackName } from '@parley/contract';

export const isOnThisComputer = (url: string): boolean => isLoopbackName(new URL(url).hostname);
