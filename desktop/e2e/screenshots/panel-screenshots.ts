/**
 * `npm run screenshots:panel -- [FOLDER] [--dark] [--width N]`: takes pictures of the admin panel with a made-up school. Without a
 * folder, it takes those that docs/running-a-school.md shows; with one, every screen, for review.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedSchool } from '@parley/sync-server/test-kit/school';
import type { Page } from 'playwright';
import { ADMIN, launchPanelBrowser, openPanel, startPanelServer } from '../panel/open-panel.ts';
import { PANEL_SCREENS } from '../panel/panel-screens.ts';
import { openNew } from '../steps/panel.ts';
import { takeBrand, takeContentPictures, takePost } from './panel-content-screenshots.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean', default: false },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '860' },
  },
});
const [folder = 'docs/school'] = positionals;
const shown = await readFile('docs/running-a-school.md', 'utf8');
await mkdir(folder, { recursive: true });

const server = await startPanelServer();
// The pictures show a week in which people have practised.
server.advanceClock(3 * 24 * 3_600_000);
const browser = await launchPanelBrowser();
const { page } = await openPanel(browser, server, {
  colorScheme: values.dark ? 'dark' : 'light',
  width: Number(values.width),
  height: Number(values.height),
});
await page.clock.setFixedTime(server.now());
await fillSchool();

const take = async (name: string): Promise<void> => {
  if (positionals.length === 0 && !shown.includes(`(school/${name}.png)`)) return;
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `${name}.png`) });
};
const open = (path: string) => page.goto(`${server.address}/admin${path}`);

await makeClass(page);
await take('class');
for (const { name, path, isReady } of PANEL_SCREENS) {
  await open(path);
  // This school has a class and a crash report, which change what their lists show.
  if (name === 'classes' || name === 'crashes') await page.getByRole('cell').first().waitFor();
  else await isReady(page);
  if (name === 'invite') await pasteAddresses(page);
  await take(name);
}
await open('/learners?only=with_access');
await page.getByRole('checkbox').nth(2).check();
await page.getByRole('checkbox').nth(4).check();
await take('learners-selected');
await page.getByRole('button', { name: 'End access' }).click();
await page.getByRole('dialog').waitFor();
await take('end-access');
await open('/learners?search=Wen');
await page.getByRole('cell').getByRole('link').first().click();
await page.getByRole('heading', { name: 'Practice' }).waitFor();
await take('learner');
await takeVideo(page);
await takeContentPictures(page, server, take);
await takePost(page, server, take);
await takeBrand(page, server, take);
await page.context().clearCookies();
await open('/');
await page.getByRole('heading', { name: 'Sign in to the admin panel' }).waitFor();
await take('sign-in');
await browser.close();
await server.stop();
process.exit(0);

/** Sixty learners with names, eight weeks of practice, costs, a crash report, and three pending requests. */
async function fillSchool(): Promise<void> {
  const { db } = server.database;
  const now = `'${server.now().toISOString()}'::timestamptz`;
  await seedSchool(db, server.now(), { learners: 60, practicesEach: 6, waiting: 3 });
  for (const statement of [
    `update users set last_name = split_part(last_name, ' ', 1),
       email = lower(first_name || '.' || split_part(last_name, ' ', 1) || split_part(last_name, ' ', 2)) || '@nordhafen.example'
     where email like 'learner-%'`,
    `update users set created_at = created_at - interval '60 days', access_date = access_date - interval '60 days' where has_access`,
    `update users set first_name = 'Ines', last_name = 'Duarte' where email = '${ADMIN}'`,
    `insert into school_settings values (1, 'Nordhafen Academy', 'english@nordhafen.example', 'Europe/Lisbon', false, ${now})`,
    `update practice_history set created_at = ${now} - ((abs(hashtext(id::text)) % 4000) * interval '20 minutes'),
       score = 62 + abs(hashtext(id::text)) % 30`,
    `insert into mails (id, user_id, "to", kind, step, subject, html, text, state, next_try_at, created_at, trouble)
     select gen_random_uuid(), user_id, email, 'access_link', 'lost', 'You have access to Parley', '', '', 'bounced', ${now},
       ${now} - interval '1 day', 'no such mailbox' from users where first_name = 'Pedro' and has_access limit 1`,
    `insert into crash_reports (id, user_id, received_at, at, source, version, system, kind, code, frames)
     select gen_random_uuid(), user_id, ${now} - interval '1 day', ${now} - interval '1 day', 'window', '0.3.0', 'win32 10.0.26100 x64',
       'TypeError', null, '["startTurn (conversation-screen.tsx:120:7)"]' from users where has_access limit 1`,
    `insert into ai_usage (id, use, style, cost_micros, model, local_day, at)
     select 'sample ' || n, 'reply', 'turn_based', 20000 + n * 700, (array['gpt-5-mini', 'gpt-realtime'])[1 + n % 2], 'x',
       ${now} - n * interval '9 hours' from generate_series(1, 60) n`,
  ])
    await db.execute(statement);
}

async function makeClass(on: Page): Promise<void> {
  await on.goto(`${server.address}/admin/classes`);
  await on.getByRole('button', { name: 'New class' }).click();
  await on.getByLabel('Name').last().fill('Customer service, autumn');
  await on.getByRole('button', { name: 'Create the class' }).click();
  await on.getByRole('button', { name: 'Add learners' }).click();
  const { rows } = (await server.database.db.execute(
    `select email from users where first_name in ('Marta', 'Yusuf') and has_access order by email limit 6`,
  )) as { rows: { email: string }[] };
  await on
    .getByRole('dialog')
    .getByRole('textbox')
    .fill(rows.map(({ email }) => email).join('\n'));
  await on.getByRole('button', { name: /^Add \d/ }).click();
  await on.getByRole('dialog').waitFor({ state: 'detached' });
  await on.getByRole('button', { name: 'Assign a course' }).click();
  await on.getByLabel('Due by (optional)').fill('2027-01-29');
  await on.getByRole('button', { name: 'Assign', exact: true }).click();
  await on.getByRole('dialog').waitFor({ state: 'detached' });
  await on.getByRole('columnheader', { name: 'Due' }).waitFor();
}

async function takeVideo(on: Page): Promise<void> {
  await open('/videos');
  await openNew(on, 'New video');
  await on.getByLabel('Title', { exact: true }).fill('How we answer the phone');
  await on.route('**/v1/admin/uploads/*', (route) => route.abort('connectionreset'));
  await on.getByLabel('Video file').setInputFiles('sync-server/test-kit/media/bars.webm');
  await on.getByRole('button', { name: 'Pause' }).click();
  await take('video-paused');
  await on.unroute('**/v1/admin/uploads/*');
  await on.getByRole('button', { name: 'Continue' }).click();
  await on.getByRole('img', { name: 'Cover' }).waitFor();
  await on.getByLabel('Transcript', { exact: true }).fill('WEBVTT\n\n00:02.000 --> 00:01.000\nGood morning.');
  await on.getByText('it ends before it starts.').last().waitFor();
  await take('video');
}

async function pasteAddresses(on: Page): Promise<void> {
  const lines = [
    'Zoë Ünal <zoe.unal@nordhafen.example>',
    'marek@nordhafen.example;Marek;Nowak',
    'sara@nordhafen.example',
    'Team lead',
  ];
  await on.getByLabel('Addresses, one person on each line').fill(lines.join('\n'));
}
