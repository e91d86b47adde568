/** The learner's picture: chosen from a file, and scaled down before it is stored. */
import { t } from '@parley/i18n';
import type { Profile } from '@parley/contract';
import { Avatar, Banner, Button, PICTURE_TYPES, Row, shrinkPicture } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import type { SaveSettings } from '../foundation/host/use-save-settings.ts';

/** Twice the size at which it is shown, for high-density screens. */
const PICTURE_SIZE = { width: 192, height: 192 };
/**
 * Other devices get the rows of a small change with their poke, and the profile is a single row that includes the
 * picture.
 */
const MAX_CHARACTERS = 12_000;

export function ProfilePicture({ profile, save }: { profile: Profile; save: SaveSettings }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const choose = useMutation({
    mutationFn: (file: File) => shrinkPicture(file, PICTURE_SIZE, 'smallest', MAX_CHARACTERS),
    onSuccess: (avatarUrl) => save.profile({ avatarUrl }),
  });
  const remove = (): void => {
    choose.reset();
    save.profile({ avatarUrl: null });
    // The button that was pressed disappears with the picture, and the keyboard focus would start again at the top.
    chooseButton.current?.focus();
  };
  const { firstName, lastName, avatarUrl } = profile;
  return (
    <>
      <Row>
        <Avatar firstName={firstName} lastName={lastName} imageUrl={avatarUrl} size={64} alt={t('Your picture')} />
        <input
          ref={input}
          type="file"
          accept={PICTURE_TYPES}
          hidden
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) choose.mutate(file);
            // Reset, so that the same file can be chosen again.
            currentTarget.value = '';
          }}
        />
        <Button ref={chooseButton} onPress={() => input.current?.click()} isDisabled={choose.isPending}>
          {t('Choose a picture')}
        </Button>
        {avatarUrl !== null && (
          <Button variant="quiet" onPress={remove}>
            {t('Remove the picture')}
          </Button>
        )}
      </Row>
      {choose.isError && (
        <Banner tone="warn">
          {t('This file isn’t a picture that Parley can read. Choose a PNG, JPEG or WebP file.')}
        </Banner>
      )}
    </>
  );
}
