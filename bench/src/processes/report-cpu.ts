/** Preloaded into a server process so that it reports its CPU time on request. */
import { ownCpuSeconds } from './own-cpu.ts';

process.on('message', (message) => {
  if (message === 'cpu?') process.send?.({ cpuSeconds: ownCpuSeconds() });
});
