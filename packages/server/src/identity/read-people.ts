export {
  selectPeople as listPeople,
  selectPerson as readPerson,
  selectPersonByEmail as findPersonByEmail,
} from './person.sql.ts';
