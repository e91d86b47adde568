/** The sections of the settings screen that other screens link to. */
export const SETTINGS_SECTIONS = ['server', 'coach'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** The element id of the section's heading. */
export const sectionHeadingId = (part: SettingsSection): string => `settings-${part}`;

/** Scrolls to the section, if it is rendered, and moves the focus to its heading. */
export function scrollToSection(part: SettingsSection): void {
  // Waits for the next frame because the router scrolls to the top on navigation.
  requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>(`#${sectionHeadingId(part)}`);
    heading?.scrollIntoView({ block: 'center' });
    heading?.focus({ preventScroll: true });
  });
}
