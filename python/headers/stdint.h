/* SPDX-License-Identifier: Apache-2.0 */
/* Empty: cffi knows the types of this header. */
