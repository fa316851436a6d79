/** People: their accounts, passwords and roles. */
export { createAdmin, createUser } from './create-user.ts';
export { hashPassword, isPassword } from './password.ts';
export {
  selectPeople,
  selectPeopleNamed,
  selectPerson,
  selectPersonByEmail,
  updateName,
  updatePassword,
} from './person.sql.ts';
export {
  type Person,
  type SessionUser,
  type SignedInUser,
  checkEmail,
  checkName,
  checkPassword,
  emailKey,
  mayBePassword,
  platformRoleOf,
} from './person.ts';
