/** Loaded before a server that knows nothing of the race: says how much CPU the process has taken whenever it is asked. */
import { ownCpuSeconds } from './own-cpu.ts';

process.on('message', (message) => {
  if (message === 'cpu?') process.send?.({ cpuSeconds: ownCpuSeconds() });
});
