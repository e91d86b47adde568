import { expect, it } from 'vitest';
import { reportTimeZone } from './report-time-zone.ts';

it('reports the time zone once, and again when the window is shown in another one', async () => {
  const document = new EventTarget();
  const reports: string[] = [];
  let [zone, isFailing] = ['Europe/Berlin', false];
  const app = {
    reportTimeZone: async ({ timeZone }: { timeZone: string }) => {
      reports.push(timeZone);
      if (isFailing) throw new Error('no host');
    },
  };
  const show = async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    await Promise.resolve();
  };
  reportTimeZone(app, document, () => zone);
  await show();
  expect(reports).toEqual(['Europe/Berlin']);
  zone = 'Asia/Tokyo';
  isFailing = true;
  await show();
  isFailing = false;
  await show();
  await show();
  expect(reports).toEqual(['Europe/Berlin', 'Asia/Tokyo', 'Asia/Tokyo']);
});
