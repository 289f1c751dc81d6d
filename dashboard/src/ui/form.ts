// A form that is sent: what is wrong with its fields, and with sending it.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { ApiError } from "../data/errors.ts";
import { type Action, useAction } from "./action.ts";
import { focusFirstError } from "./field.tsx";

/** a form, or what stands in a dialog's */
type Place = HTMLFormElement & HTMLDivElement;

/** By the names of fields. */
export type Wrong<Name extends string> = {
    readonly [name in Name]?: string | undefined;
};

export interface Form<Name extends string> extends Action {
    wrong: Wrong<Name>;
    /** what its fields stand in: the focus goes to the first that is wrong */
    place: RefObject<Place | null>;
    /** Shows what is wrong; true: nothing is, and it can be sent. */
    check(wrong: Wrong<Name>): boolean;
    /** What is wrong with a field is so no more; absent: with none of them. */
    clear(name?: Name): void;
}

/**
 * names: those fields that an error of the API can be about; nameOf: which one
 * that is, where the API calls it something else
 */
export function useForm<Name extends string>(
    names: readonly Name[],
    nameOf: (error: ApiError) => string | undefined = ({ field }) => field,
): Form<Name> {
    const wrong = useSignal<Wrong<Name>>({});
    const place = useRef<Place>(null);

    /** true: something is wrong */
    function show(faults: Wrong<Name>): boolean {
        wrong.value = faults;

        if (Object.values(faults).some(Boolean)) {
            focusFirstError(place.current);
            return true;
        }

        return false;
    }

    const action = useAction((error) => {
        const name = names.find((one) => one === nameOf(error));

        return (
            name !== undefined && show({ [name]: error.message } as Wrong<Name>)
        );
    });

    return {
        ...action,
        wrong: wrong.value,
        place,

        check(faults) {
            action.forget();
            return !action.busy && !show(faults);
        },

        clear(name) {
            wrong.value = name ? { ...wrong.value, [name]: undefined } : {};
        },
    };
}
