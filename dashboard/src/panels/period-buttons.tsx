// "24 h", "7 d", "30 d", "90 d": one of them is pressed.

import { Button } from "../ui/index.ts";
import { PERIOD_NAMES, PERIODS, type Period } from "./period.ts";

export function PeriodButtons({
    period,
    onPeriod,
}: {
    period: Period;
    onPeriod: (period: Period) => void;
}) {
    return (
        <fieldset class="group" aria-label="Period">
            {PERIODS.map((one) => (
                <Button
                    key={one}
                    aria-pressed={one === period}
                    onClick={() => onPeriod(one)}
                >
                    {PERIOD_NAMES[one]}
                </Button>
            ))}
        </fieldset>
    );
}
