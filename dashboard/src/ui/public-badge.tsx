// The mark of a prompt that others may use.

import { Icon } from "./icons.tsx";
import { Badge } from "./say.tsx";

export function PublicBadge() {
    return (
        <Badge kind="accent" title="Others may read, run and fork it">
            <Icon name="globe" /> Public
        </Badge>
    );
}
