/** The promises of the first slice: scores that agree with people, words that survive, a journey that works. */
import { measureHistory } from '../measure/history.ts';
import { measureSecondStart } from '../measure/second-start.ts';
import { runJourney, runKills } from '../measure/run-tests.ts';
import { scoreOddFiles } from '../measure/odd-files.ts';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { heldOut } from './held-out.ts';
import { atMost, type ProductPromise } from './promise.ts';

export const promises: readonly ProductPromise[] = [
  heldOut('Sentence scores agree with human experts on speakers held out (PCC, total)', 0.62, 'sentenceTotalPcc'),
  heldOut('Sound scores agree with human experts on speakers held out (PCC, phones)', 0.42, 'phonePcc'),
  heldOut('A wrong text of the same length scores clearly below the right one (share)', 0.98, 'rightAboveWrong'),
  {
    says: 'Silence, noise, a wrong text, 60 s, 44.1 kHz stereo, cut and empty files are scored or refused sanely',
    bar: '8 of 8',
    keep: async () => {
      const { sane, total, strange } = await scoreOddFiles();
      return {
        figure: `${sane} of ${total}${strange.length > 0 ? `: ${strange.join(', ')}` : ''}`,
        holds: sane === total,
      };
    },
  },
  {
    says: 'Scoring is faster than speech on one core (seconds of work a second of speech)',
    bar: '<= 0.1',
    keep: async () => atMost(await measureRealTimeFactor(), 0.1),
  },
  {
    says: 'A host killed at any moment, also in mid-sentence, has lost nothing that it had acknowledged (15 kills)',
    bar: 'all found',
    keep: async () => {
      const { passed, failed } = await runKills();
      return { figure: `${passed} of ${passed + failed} rounds found all`, holds: failed === 0 && passed > 0 };
    },
  },
  {
    says: 'The first window of a second start is there soon after the command (seconds)',
    bar: '<= 3',
    keep: async () => atMost((await measureSecondStart()) / 1000, 3),
  },
  {
    says: 'A history of 5,000 sessions opens and is searched at once (slower of both, ms)',
    bar: '<= 250',
    keep: async () => {
      const { openMs, searchMs } = await measureHistory(5_000);
      return atMost(Math.max(openMs, searchMs), 250);
    },
  },
  {
    says: 'The journey holds in Chromium: voice, result, restart offline, History, second device; axe finds nothing',
    bar: 'all steps',
    keep: async () => {
      const { passed, failed, skipped } = await runJourney();
      return {
        figure: `${passed} steps passed, ${failed} failed, ${skipped} skipped`,
        holds: failed === 0 && passed > 0,
      };
    },
  },
];
