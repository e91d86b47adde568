/** Scrolls to the settings section named in the address, once it is rendered. */
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type SettingsSection, scrollToSection } from './settings-sections.ts';

export function useScrollToSection(section: SettingsSection, isRendered: boolean): void {
  const { part } = useSearch({ from: '/settings' });
  useEffect(() => {
    if (part === section && isRendered) scrollToSection(section);
  }, [part, section, isRendered]);
}
