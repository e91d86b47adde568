/** Whether a server runs on the computer in front of the learner, so that no other computer can reach it. */
import { isLoopbackName } from '@parley/contract';

export const isOnThisComputer = (url: string): boolean => isLoopbackName(new URL(url).hostname);
