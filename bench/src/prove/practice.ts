/** Promises about practice: scores that agree with experts, durable sessions and a working journey. */
import { measureHistory } from '../measure/history-queries.ts';
import { measureWarmStart } from '../measure/warm-start.ts';
import { runJourneyTests, runCrashTests } from '../measure/run-tests.ts';
import { scoreUnusualFiles } from '../measure/unusual-audio-files.ts';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { expertAgreement } from './expert-agreement.ts';
import { atMost, type ProductPromise } from './promise.ts';

export const promises: readonly ProductPromise[] = [
  expertAgreement(
    'Sentence scores agree with human experts on held-out speakers (PCC, total)',
    0.62,
    'sentenceTotalPcc',
  ),
  expertAgreement('Phone scores agree with human experts on held-out speakers (PCC)', 0.42, 'phonePcc'),
  expertAgreement(
    'A wrong text of the same length scores clearly below the right one (share)',
    0.98,
    'rightAboveWrong',
  ),
  {
    claim: 'Silence, noise, a wrong text, 60 s, 44.1 kHz stereo, cut and empty files are scored or rejected correctly',
    bar: '8 of 8',
    measure: async () => {
      const { sane, total, strange } = await scoreUnusualFiles();
      return {
        figure: `${sane} of ${total}${strange.length > 0 ? `: ${strange.join(', ')}` : ''}`,
        holds: sane === total,
      };
    },
  },
  {
    claim: 'Scoring is faster than speech on one core (seconds of work per second of speech)',
    bar: '<= 0.1',
    measure: async () => atMost(await measureRealTimeFactor(), 0.1),
  },
  {
    claim: 'A host that is killed at any moment, even mid-sentence, loses nothing that it has acknowledged (15 kills)',
    bar: 'nothing lost',
    measure: async () => {
      const { passed, failed } = await runCrashTests();
      return { figure: `${passed} of ${passed + failed} rounds lost nothing`, holds: failed === 0 && passed > 0 };
    },
  },
  {
    claim: 'A warm start shows the first screen soon after the command (seconds)',
    bar: '<= 3',
    measure: async () => atMost((await measureWarmStart()) / 1000, 3),
  },
  {
    claim: 'A history of 5,000 sessions opens and is searched quickly (slower of the two, ms)',
    bar: '<= 250',
    measure: async () => {
      const { openMs, searchMs } = await measureHistory(5_000);
      return atMost(Math.max(openMs, searchMs), 250);
    },
  },
  {
    claim: 'The journey passes in Chromium: voice, result, offline restart, History, second device; axe finds nothing',
    bar: 'all steps',
    measure: async () => {
      const { passed, failed, skipped } = await runJourneyTests();
      return {
        figure: `${passed} steps passed, ${failed} failed, ${skipped} skipped`,
        holds: failed === 0 && passed > 0,
      };
    },
  },
];
