/** Shows that the learner's access was revoked, when and why. */
import { t } from '@parley/i18n';
import type { AccountView } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { Banner, Button } from '@parley/ui';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { formatDate } from '../../foundation/sentences/format-date.ts';

type AccessRevocation = NonNullable<AccountView['accessTaken']>;

export function AccessRevokedBanner({
  taken,
  leadsOn: showsRequestButton = false,
}: {
  taken: AccessRevocation;
  leadsOn?: boolean;
}): ReactElement {
  const navigate = useNavigate();
  const ask = <Button onPress={() => void navigate({ to: '/waiting' })}>{t('Ask for access again')}</Button>;
  return (
    <Banner tone="warn" action={showsRequestButton ? ask : undefined}>
      {joinSentences(t, [
        t('Your school ended your access to live coaches on {at}.', { at: formatDate(taken.at) }),
        ...(taken.reason === null
          ? []
          : [t('The reason given: “{reason}”.', { reason: taken.reason.replace(/[.\s]+$/, '') })]),
        t('Everything you’ve recorded is still here.'),
      ])}
    </Banner>
  );
}
