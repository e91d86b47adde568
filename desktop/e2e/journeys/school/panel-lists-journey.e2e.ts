/** Lists and plots of the admin panel in a real browser: a class by progress, the audit log by person and day, statistics, prices. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { seedSchool } from '@parley/sync-server/test-kit/school';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { ADMIN } from '../../panel/open-panel.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, picture, press } from '../../steps/panel.ts';

const school = setUpSchool();
beforeAll(async () => {
  const { db } = school.server.database;
  await seedSchool(db, school.server.now(), { learners: 8, practicesEach: 3, waiting: 1 });
  await db.execute(sql`
    insert into ai_usage (id, use, style, cost_micros, model, local_day, at)
    select 'sample ' || n, 'reply', 'turn_based', 20000 + n * 700, (array['gpt-5-mini', 'gpt-realtime'])[1 + n % 2], 'x',
      ${school.server.now().toISOString()}::timestamptz - n * interval '9 hours' from generate_series(1, 40) n`);
});

const cells = (page: Page, column: number): Promise<string[]> =>
  page.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
}

/** Five learners, of whom the first has finished the only practice of the course. */
async function makeClass(name = 'Evening'): Promise<string> {
  const { db } = school.server.database;
  const id = randomUUID();
  await db.execute(sql`insert into classes (id, name, created_at) values (${id}, ${name}, now())`);
  await db.execute(sql`
    insert into class_members (class_id, user_id, added_at)
    select ${id}, user_id, now() from users where email like 'learner-%' and has_access order by email limit 5`);
  await db.execute(sql`
    insert into class_courses (class_id, course_id, due_at, assigned_at)
    select ${id}, course_id, null, now() from courses
    where deleted_at is null order by title limit 1`);
  await db.execute(sql`
    insert into practice_history (id, practice_id, user_id, agent_id, score, pron_score, entire_conversation,
      completed_objectives, duration, communication_style, status, difficulty, created_at, updated_at, sync_version)
    select gen_random_uuid(), i.practice_id, (select min(user_id::text)::uuid from class_members),
      (select agent_id from ai_agent_profiles order by agent_id limit 1), 80, 70, '[]', '[]', 180, 'audio', 'completed', 'easy',
      now(), now(), 1
    from class_courses c join course_sections s on s.course_id = c.course_id
    join course_section_practices i on i.course_section_id = s.course_section_id`);
  return id;
}

describe('the lists of the admin panel', () => {
  it('show which members of a class have something left to do, sort by a course, and export it', async () => {
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/classes/${await makeClass()}`);
    const list = page.getByRole('region', { name: 'Learners of this class', exact: true });
    await list.getByRole('status').filter({ hasText: '5 learners' }).waitFor();
    await picture(page, 'class');
    await list.getByRole('columnheader').nth(2).getByRole('button').click();
    await list.getByRole('columnheader').nth(2).getByRole('button').click();
    await expect.poll(async () => (await list.locator('tbody tr td:nth-child(3)').allInnerTexts())[0]).toBe('finished');
    const downloads = page.waitForEvent('download');
    await list.getByRole('button', { name: 'Export as CSV' }).click();
    const csv = await readFile(await (await downloads).path(), 'utf8');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(6);
    expect(csv.split('\r\n')[1]).toMatch(/@nordhafen\.example,finished$/);
    await list.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'With something left to do' }).click();
    await list.getByRole('status').filter({ hasText: '4 learners' }).waitFor();
    expect(page.url()).toContain('only=unfinished');
    await expectToFit(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('show the new name of a class', async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/classes/${await makeClass('Nigth')}`);
    await press(page, 'Rename');
    expect(await field(page, 'New name').inputValue()).toBe('Nigth');
    const rename = page.getByRole('dialog').getByRole('button', { name: 'Rename' });
    await field(page, 'New name').fill('  ');
    expect(await rename.isDisabled()).toBe(true);
    await field(page, 'New name').fill('x'.repeat(201));
    await page.getByRole('alert').filter({ hasText: 'New name is too long or too large: 200 at most.' }).waitFor();
    expect(await rename.isDisabled()).toBe(true);
    await field(page, 'New name').fill('Night');
    await expectAccessible(page);
    await rename.click();
    await page.getByRole('heading', { name: 'Night' }).waitFor();
    await page.getByRole('link', { name: 'Classes' }).first().click();
    await page.getByRole('cell', { name: 'Night' }).waitFor();
    await page.close();
  });

  it('explain an empty list once, and tell only screen readers that it has no rows', async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/videos`);
    await page.getByRole('heading', { name: 'No videos yet' }).waitFor();
    expect(await page.getByText('Videos belong to the sections of a course.').count()).toBe(1);
    const box = await page.getByRole('status').filter({ hasText: '0 videos' }).boundingBox();
    expect(box?.width).toBe(1);
    await page.close();
  });

  it('ignore a filter in the address that they do not have', async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/learners?only=all`);
    await page.getByRole('checkbox').nth(2).waitFor();
    await page.goto(`${school.server.address}/admin/mail?state=lost`);
    await page.getByRole('cell').first().waitFor();
    await page.close();
  });

  it('write days and times in the time zone of the school, on screen and as CSV', async () => {
    const { db } = school.server.database;
    await db.execute(sql`
      insert into school_settings (id, name, contact_email, time_zone, requires_second_factor, updated_at)
      values (1, 'Nordhafen', null, 'Asia/Tokyo', false, now())`);
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/classes/${await makeClass('Morning')}`);
    await press(page, 'Assign a course');
    await page.getByText('Time zone: Asia/Tokyo.').waitFor();
    await field(page, 'Due by (optional)').fill('2031-12-24');
    await press(page, 'Assign');
    await page.getByRole('cell', { name: '24 Dec 2031' }).waitFor();
    const { rows } = (await db.execute(sql`select max(due_at)::text as due from class_courses`)) as { rows: object[] };
    expect(rows).toEqual([{ due: '2031-12-24 14:59:59+00' }]);
    await press(page, 'Assign a course');
    const due = field(page, 'Due by (optional)');
    expect(await due.inputValue()).toBe('2031-12-24');
    await due.focus();
    await page.keyboard.press('Delete');
    expect(await due.inputValue()).toBe('');
    await press(page, 'Assign');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await db.execute(sql`select max(due_at)::text as due from class_courses`)) as object).toMatchObject({
      rows,
    });
    await page.goto(`${school.server.address}/admin/classes`);
    await page.getByRole('cell', { name: '24 Dec 2031' }).waitFor();
    const downloads = page.waitForEvent('download');
    await press(page, 'Export as CSV');
    expect(await readFile(await (await downloads).path(), 'utf8')).toContain(',2031-12-24\r\n');
    await db.execute(sql`delete from school_settings`);
    await page.close();
  });

  it('filter the audit log by actor, by affected person and by day', async () => {
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/audit`);
    await field(page, 'Person affected').fill('learner-1-');
    await page.getByRole('status').filter({ hasText: '1 entry' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'audit');
    await field(page, 'Person affected').fill('');
    await field(page, 'Person who acted').fill(ADMIN);
    await expect.poll(async () => [...new Set(await cells(page, 2))]).toEqual([ADMIN]);
    await field(page, 'Last day').fill('2020-01-31');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    expect(page.url()).toContain('until=2020-01-31');
    await field(page, 'Last day').fill('');
    await field(page, 'First day').fill('2020-01-31');
    await expect.poll(async () => [...new Set(await cells(page, 2))]).toEqual([ADMIN]);
    // While the year is being typed, the browser reports 0002, 0020 and 0202.
    await field(page, 'First day').fill('');
    await field(page, 'Person affected').focus();
    await field(page, 'First day').focus();
    await page.keyboard.type('12242026', { delay: 400 });
    await expect.poll(() => page.url()).toContain('from=2026-12-24');
    // A day with a missing part is not a choice, and the former day is shown again when the field loses the focus.
    await page.keyboard.press('Delete');
    expect(await field(page, 'First day').inputValue()).toBe('');
    await field(page, 'Person affected').focus();
    expect(await field(page, 'First day').inputValue()).toBe('2026-12-24');
    expect(page.url()).toContain('from=2026-12-24');
    await page.goto(`${school.server.address}/admin/audit?from=0002-01-01`);
    await expect.poll(async () => (await cells(page, 2)).length).toBeGreaterThan(0);
    expect(await field(page, 'First day').inputValue()).toBe('0002-01-01');
    await expectToFit(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('have plots of courses, plans and costs, with a table behind each', async () => {
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/numbers`);
    await page.getByRole('img', { name: /^Cost of AI: .*\$/ }).waitFor();
    for (const plot of ['Courses', 'From account to plan', 'Cost by model'])
      expect(await page.getByRole('list', { name: plot }).getByRole('listitem').count()).toBeGreaterThan(0);
    await picture(page, 'numbers');
    for (const summary of await page.getByText('Show as a table').all()) await summary.click();
    for (const table of [
      'Statistics by week',
      'Courses',
      'From account to plan',
      'AI costs by day and model, last 30 days',
    ])
      expect(
        await page
          .getByRole('region', { name: `${table}, table` })
          .getByRole('row')
          .count(),
      ).toBeGreaterThan(1);
    await expectToFit(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('list the prices with the learners on each', async () => {
    const { db } = school.server.database;
    await db.execute(sql`
      insert into products (id, product_id, name, description, active, is_test, created_at, updated_at, sync_version)
      values (gen_random_uuid(), 'plus', 'Parley Plus', 'More time with a live coach', true, true, now(), now(), 1),
        (gen_random_uuid(), 'old', 'Parley Basic', null, false, true, now(), now(), 1)`);
    await db.execute(sql`
      insert into prices (id, price_id, product_id, unit_amount, currency, pricing_type, pricing_plan_interval,
        interval_count, type, is_test, created_at, updated_at, sync_version)
      select gen_random_uuid(), product_id || amount, id, amount, 'eur', 'recurring', 'month', 1, 'PLUS', true, now(), now(), 1
      from products, (values (1290), (900)) as amounts (amount)`);
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/products?sort=unitAmount&only=sold`);
    await page.getByRole('status').filter({ hasText: '2 prices' }).waitFor();
    expect(await cells(page, 3)).toEqual([expect.stringContaining('9.00'), expect.stringContaining('12.90')]);
    await expectAccessible(page);
    await picture(page, 'prices');
    await press(page, 'Learners on this plan');
    expect(page.url()).toContain('sort=subscriptions');
    expect(problems).toEqual([]);
    await page.close();
  });
});
