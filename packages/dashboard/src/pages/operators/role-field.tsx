import type { Role } from '../../api/session.ts';
import { ROLES } from '../../api/session.ts';

interface RoleFieldProps {
  readonly value: Role;
  readonly onValue: (role: Role) => void;
}

export const RoleField = ({ value, onValue }: RoleFieldProps) => (
  <fieldset class="field">
    <legend>Role</legend>
    <div>
      {ROLES.map(({ value: each, title, may }) => (
        <label class="check" key={each}>
          <input type="radio" name="role" checked={each === value} onChange={() => onValue(each)} />
          <span>
            {title}: <span class="soft">{may.toLowerCase()}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
