/**
 * Home of the admin panel in a real browser: a learner's reports from the app, and e-mails that are only written to a
 * folder.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, picture, press } from '../../steps/panel.ts';

const school = setUpSchool({ writesMail: true });
let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(school.server.address);
});
afterAll(async () => {
  await device.remove();
});

const TEXT = 'Daniel asked me the same question twice';

const PRACTICE = 'Explain a delay to a client';

/** A learner reports the coach's first line during a written practice, and the practice from its result. */
async function reportFromTheApp(): Promise<void> {
  const page = await device.open();
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
  await page.getByText('In writing', { exact: true }).click();
  await press(page, 'Start');
  await page.getByLabel('Write your answer').waitFor();
  // The school takes reports from learners with an address or access.
  await school.server.database.db.execute(
    sql`update users set has_access = true, access_date = now() where email is null`,
  );
  await press(page, 'Report a problem…');
  await page.getByText('Your school sees this line').waitFor();
  await field(page, 'What’s wrong?').fill(TEXT);
  await expectAccessible(page);
  await picture(page, 'report-dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent to your school. Thank you.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await page.getByLabel('Write your answer').fill('I am sorry, the delivery will be two days late.');
  await page.getByLabel('Write your answer').press('Enter');
  await press(page, 'End the conversation…');
  await press(page, 'Finish and see the result');
  await page.getByRole('tab', { name: 'What was said' }).click();
  await picture(page, 'report-result');
  await page.getByRole('button', { name: 'Report a problem…' }).first().click();
  await field(page, 'What’s wrong?').fill('Too easy for me');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent to your school. Thank you.').waitFor();
}

const reportedSteps = async (): Promise<{ node: string }[]> =>
  (
    (await school.server.database.db.execute(sql`select node from practice_reports where node is not null`)) as {
      rows: { node: string }[];
    }
  ).rows;

describe('Home of the admin panel', () => {
  it('shows a learner’s report, opens the dialogue at that step, and closes it', async () => {
    const { page, problems } = await school.open();
    await reportFromTheApp();
    await page.goto(`${school.server.address}/admin`);
    await page.getByRole('heading', { name: 'Two things need your attention' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: TEXT });
    await row.getByText(PRACTICE).waitFor();
    await page.getByRole('cell', { name: 'Too easy for me' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'home-report');
    await row.getByRole('button', { name: 'Open the dialogue' }).click();
    await field(page, 'Step').waitFor();
    const [{ node } = { node: '' }] = await reportedSteps();
    expect(await field(page, 'Step').locator('option:checked').innerText()).toBe(node);
    expect(new URL(page.url()).searchParams.get('step')).toBe(node);
    await page.goBack();
    await row.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the report' }).click();
    await page.getByRole('heading', { name: 'One thing needs your attention' }).waitFor();
    await row.waitFor({ state: 'detached' });
    await page.goto(`${school.server.address}/admin/audit`);
    await page.getByRole('cell', { name: 'closed a report about' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('links to all reports, which are closed there', async () => {
    const { page, problems } = await school.open();
    await school.server.database.db.execute(sql`
      insert into practice_reports (id, user_id, received_at, at, practice_id, text)
      select gen_random_uuid(), user_id, received_at, at, practice_id, 'Report ' || nr
      from (select * from practice_reports where closed_at is null limit 1) as open cross join generate_series(1, 6) as nr`);
    await page.goto(`${school.server.address}/admin`);
    await page.getByRole('cell', { name: 'and 2 more reports' }).waitFor();
    await page.getByRole('link', { name: 'Show all reports' }).click();
    await page.getByText('7 reports').waitFor();
    await expectAccessible(page);
    await picture(page, 'reports');
    await page.getByRole('checkbox', { name: 'Select Report 6' }).check();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the report' }).click();
    await page.getByText('6 reports').waitFor();
    await page.getByRole('button', { name: 'Close all reports…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close all reports' }).click();
    await page.getByText('No reports').waitFor();
    await page.getByRole('button', { name: 'Close all reports…' }).waitFor({ state: 'detached' });
    await page.goto(`${school.server.address}/admin/reports?state=closed`);
    await page.getByText('8 reports').waitFor();
    await page.goto(`${school.server.address}/admin`);
    await page.getByRole('heading', { name: 'Nothing needs your attention' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('says that e-mails are only written to a folder, and labels each', async () => {
    const { page, problems } = await school.open();
    await page.getByText('This server sends no e-mail.').waitFor();
    await page.getByRole('link', { name: 'Open the e-mail log' }).click();
    await page.getByRole('cell', { name: 'Written to the folder' }).first().waitFor();
    await page.getByText('This server sends no e-mail.').waitFor();
    await expectAccessible(page);
    await page.goto(`${school.server.address}/admin/mail?state=sent`);
    await page.getByText('Nothing matches').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
