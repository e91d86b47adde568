/** Helps a learner to whom no e-mail came: where to look for it, and another one after a while. */
import { t } from '@parley/i18n';
import { Button, Row } from '@parley/ui';
import { type ReactElement, useEffect, useState } from 'react';

const RESEND_AFTER_S = 60;

export interface ResendEmailProps {
  onResend: () => void;
  isPending: boolean;
  /** False when no e-mail is on its way that could still arrive. */
  mustWait?: boolean;
}

/** The countdown starts when this is mounted, so its key must change after each e-mail. */
export function ResendEmail({ onResend, isPending, mustWait = true }: ResendEmailProps): ReactElement {
  const waitS = useCountdown(mustWait ? RESEND_AFTER_S : 0);
  return (
    <Row>
      <Button onPress={onResend} isDisabled={waitS > 0 || isPending}>
        {waitS > 0 ? t('Send it again (in {waitS} s)', { waitS }) : t('Send it again')}
      </Button>
    </Row>
  );
}

export const SpamFolderHint = (): ReactElement => (
  <p>{t('It may take a minute. Look in your spam folder for an e-mail from Parley, and check the address above.')}</p>
);

/** Returns the seconds left. */
function useCountdown(fromS: number): number {
  const [leftS, setLeft] = useState(fromS);
  useEffect(() => {
    if (leftS === 0) return undefined;
    const timer = setTimeout(() => setLeft(leftS - 1), 1_000);
    return () => clearTimeout(timer);
  }, [leftS]);
  return leftS;
}
