/** The parts of the settings that other screens lead to. */
export const SETTINGS_PARTS = ['server', 'coach'] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];

/** Of the part's heading. */
export const idOfPart = (part: SettingsPart): string => `settings-${part}`;

/** Where the part is on the screen: brings it into sight and gives it the focus. */
export function showPart(part: SettingsPart): void {
  // After the router, which begins each screen at its top.
  requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>(`#${idOfPart(part)}`);
    heading?.scrollIntoView({ block: 'center' });
    heading?.focus({ preventScroll: true });
  });
}
