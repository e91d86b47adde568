/** A way to one part of the settings, from wherever it is what is missing. */
import { Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type SettingsPart, showPart } from './show-settings-part.ts';

export function ToSettings({ part, children }: { part: SettingsPart; children: string }): ReactElement {
  const navigate = useNavigate();
  // On the settings themselves the address stays the same, and the part is shown all the same.
  const go = async (): Promise<void> => {
    await navigate({ to: '/settings', search: { part } });
    showPart(part);
  };
  return <Button onPress={() => void go()}>{children}</Button>;
}
