/** An app whose server has moved on to a protocol that the app does not speak. */
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { startNewerServer } from '../../servers/newer-server.ts';

const fixture = setUpLaptop(startNewerServer);

it('an app that is too old is led to the update, practises on, and syncs afterwards', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open();
  await page.getByText('Your server needs a newer version of Parley.').waitFor();
  await page.getByText('Update Parley to sync').waitFor();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: /Explain a delay to a client/ }).click();
  await page.getByText('In writing').click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('textbox').waitFor();
  expect(await page.getByText('Your server needs a newer version of Parley.').count()).toBe(0);

  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('button', { name: 'See what to do' }).click();
  await page.getByRole('heading', { name: 'Update Parley' }).waitFor();
  const downloads = page.getByRole('link', { name: `${fixture.server.address}/downloads` });
  expect(await downloads.getAttribute('href')).toBe(`${fixture.server.address}/downloads`);
  expect((await fetch(`${fixture.server.address}/downloads`)).status).toBe(200);
  await page.getByText(/waits? on this computer/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('The server still needs a newer version.').waitFor();

  fixture.server.accept();
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('This version of Parley works with your server.').waitFor();
  await page.getByText('Everything saved').waitFor();
});
