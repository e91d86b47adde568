/** Every screen of the panel, and a sign that it has loaded completely. */
import type { Page } from 'playwright';

export interface PanelScreen {
  /** The name of its picture. */
  name: string;
  path: string;
  isReady: (page: Page) => Promise<void>;
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

/** Opens the form of the first document in a list. */
const firstForm =
  (label = 'Title') =>
  async (page: Page): Promise<void> => {
    await page.getByRole('cell').getByRole('link').first().click();
    await page.getByLabel(label, { exact: true }).first().waitFor();
  };

async function newVideoForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New video' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
}

export const PANEL_SCREENS: readonly PanelScreen[] = [
  { name: 'home', path: '/', isReady: heading('This week') },
  { name: 'learners', path: '/learners', isReady: (page) => page.getByRole('checkbox').nth(1).waitFor() },
  { name: 'invite', path: '/learners/invite', isReady: heading('No addresses yet') },
  { name: 'classes', path: '/classes', isReady: heading('No classes yet') },
  { name: 'prices', path: '/products', isReady: (page) => page.getByText('sells nothing yet').waitFor() },
  { name: 'mail', path: '/mail', isReady: (page) => page.getByRole('cell').first().waitFor() },
  { name: 'numbers', path: '/numbers', isReady: heading('From account to plan') },
  { name: 'reports', path: '/reports', isReady: heading('No reports') },
  { name: 'crashes', path: '/crashes', isReady: heading('No crash reports') },
  { name: 'audit', path: '/audit', isReady: (page) => page.getByRole('cell').first().waitFor() },
  { name: 'settings', path: '/settings', isReady: heading('Admins') },
  {
    name: 'site-text',
    path: '/settings/texts/privacy',
    isReady: (page) => page.getByRole('button', { name: 'Publish' }).waitFor(),
  },
  ...['courses', 'practices', 'coaches', 'videos', 'blog', 'industries'].map((name) => ({
    name,
    path: `/${name}`,
    // The pages of an empty list are only announced, so they cover no area.
    isReady: (page: Page) => page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' }),
  })),
  { name: 'course-form', path: '/courses', isReady: firstForm() },
  { name: 'practice-form', path: '/practices', isReady: firstForm() },
  { name: 'coach-form', path: '/coaches', isReady: firstForm('Name') },
  { name: 'video-form', path: '/videos', isReady: newVideoForm },
  { name: 'post-form', path: '/blog', isReady: firstForm() },
  { name: 'industry-form', path: '/industries', isReady: firstForm('Name') },
];
