/** The field for a new password, with what a password must be. */
import { accountUi, type BaseContext } from '../document.tsx';

/** @param name of the form's field, and its id */
export function NewPassword({ page, name, label }: { page: BaseContext; name: string; label: string }) {
  return (
    <>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="password"
        autocomplete="new-password"
        minlength={10}
        required
        dir="ltr"
        aria-describedby="hint"
      />
      <p id="hint" class="quiet">
        {accountUi(page).t('password_hint')}
      </p>
    </>
  );
}
