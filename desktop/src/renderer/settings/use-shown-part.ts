/** Shows the part of the settings that another screen has led to, once it is there. */
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type SettingsPart, showPart } from '../app/show-settings-part.ts';

export function useShownPart(name: SettingsPart, isThere: boolean): void {
  const { part } = useSearch({ from: '/settings' });
  useEffect(() => {
    if (part === name && isThere) showPart(name);
  }, [part, name, isThere]);
}
