/**
 * The numbers of the policy that a user may set, as records that refuse invalid values. A component
 * name is the key in the settings file. Each default stands beside its record, with its reason.
 * {@link dev.comity.core.policy.settings.PolicySettings} groups the records by the rules that read
 * them.
 */
@NullMarked
package dev.comity.core.policy.settings;

import org.jspecify.annotations.NullMarked;
