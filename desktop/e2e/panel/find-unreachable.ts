/** Finds controls that a keyboard user cannot reach. */
import type { Page } from 'playwright';

const MAX_STEPS = 400;
const STEPS_BETWEEN_CHECKS = 20;

/** Steps through the page with the Tab key. Returns the opening tags of the controls that never had the focus. */
export async function findUnreachable(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const isInsideGroup = (element: HTMLElement): boolean =>
      // A group of radio buttons is one step; arrow keys move inside it.
      element instanceof HTMLInputElement && element.type === 'radio' && !element.checked;
    const controls = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
    ].filter(
      (element) =>
        element.tabIndex >= 0 &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.matches(':disabled, [aria-hidden="true"] *, [inert] *') &&
        !isInsideGroup(element),
    );
    for (const control of controls) control.dataset['unreached'] = '';
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) delete target.dataset['unreached'];
    });
  });
  const unreached = page.locator('[data-unreached]');
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  // A list may still grow while the page is read, so the number of steps is not known in advance.
  for (let steps = 0; steps < MAX_STEPS && (await unreached.count()) > 0; steps += STEPS_BETWEEN_CHECKS)
    for (let step = 0; step < STEPS_BETWEEN_CHECKS; step += 1) await page.keyboard.press('Tab');
  return unreached.evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML.slice(0, 200)));
}
