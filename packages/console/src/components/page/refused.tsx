import { Alert, Anchor } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { signInAddress } from '../../api/page-settings.ts';
import { takeFocus } from '../dialog/take-focus.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface RefusedProps {
  title: string;
  error: unknown;
  /** Whether it takes the focus when it appears. */
  isFocused?: boolean;
}

/** Says why a form was refused, in the words of every error (D-407); where the session has ended, also where to sign in beside the form (D-981). */
export const Refused = ({ title, error, isFocused = false }: RefusedProps) => (
  <Alert
    color="red"
    role="alert"
    icon={<IconAlertTriangle size={18} />}
    title={title}
    tabIndex={-1}
    ref={isFocused ? takeFocus : undefined}
  >
    {messageOf(error)}
    {error instanceof ApiError && error.code === 'authentication_required' && (
      <Anchor href={`${signInAddress()}&again=1`} target="_blank" mt={8} display="block" size="sm">
        {t('sign_in_in_another_tab')}
      </Anchor>
    )}
  </Alert>
);
