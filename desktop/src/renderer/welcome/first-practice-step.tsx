/** Straight into a practice that fits. */
import { Quiet, Skeleton } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { useHost } from '../app/host-context.tsx';
import { useSaveSettings } from '../app/use-save-settings.ts';
import { PracticeCardView } from '../catalogue/index.ts';

export function FirstPracticeStep(): ReactElement {
  const { queries } = useHost();
  const save = useSaveSettings();
  const today = useQuery(queries.today.overview.queryOptions()).data;
  const practices = useQuery(queries.catalogue.practices.queryOptions()).data;
  // Who has come so far has seen it all.
  const { profile } = save;
  const isNoted = useRef(false);
  useEffect(() => {
    if (isNoted.current) return;
    isNoted.current = true;
    profile({ hasSeenOnboarding: true });
  }, [profile]);
  if (today === undefined || practices === undefined) return <Skeleton label="Choosing a practice" />;
  const card = practices.find(({ practiceId }) => practiceId === today.suggested?.practiceId) ?? practices[0];
  if (card === undefined) return <Quiet>There are no practices here yet.</Quiet>;
  return (
    <>
      <Quiet>{today.suggested?.reason ?? 'A good one to begin with.'} It works without internet.</Quiet>
      <PracticeCardView card={card} isWide />
    </>
  );
}
