/** A button that opens one section of the settings. */
import { Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type SettingsSection, scrollToSection } from './settings-sections.ts';

export function SettingsButton({ part, children }: { part: SettingsSection; children: string }): ReactElement {
  const navigate = useNavigate();
  // On the settings screen itself, navigation changes nothing, so the section is scrolled to explicitly.
  const openSection = async (): Promise<void> => {
    await navigate({ to: '/settings', search: { part } });
    scrollToSection(part);
  };
  return <Button onPress={() => void openSection()}>{children}</Button>;
}
